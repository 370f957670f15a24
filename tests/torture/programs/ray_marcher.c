/* A small picture: a ray marcher of spheres, in floats, shown as letters. */
#include <math.h>
#include <stdio.h>

static float scene(float x, float y, float z) {
    float a = sqrtf(x * x + y * y + z * z) - 1, b = sqrtf((x - 1.2f) * (x - 1.2f) + (y - 0.5f) * (y - 0.5f) + z * z) - 0.6f, floor = y + 1;
    return fminf(fminf(a, b), floor);
}

int main(void) {
    for (int row = 0; row < 14; row++) {
        for (int column = 0; column < 40; column++) {
            float dx = (column - 20) / 16.0f, dy = (7 - row) / 8.0f, dz = 1.5f, l = 1 / sqrtf(dx * dx + dy * dy + dz * dz), t = 0, d = 0;
            int steps = 0;
            for (; steps < 30 && t < 9; steps++, t += d) if ((d = scene(dx * l * t, dy * l * t, -4 + dz * l * t)) < 0.01f) break;
            putchar(t >= 9 || steps == 30 ? ' ' : " .:-=+*#%@"[9 - (int)(t * 1.0f)]);
        }
        puts("|");
    }
    return 0;
}
