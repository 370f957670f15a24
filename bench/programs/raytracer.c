/* raytracer: divergent, floats, recursive. 20 x 16 points of a picture of six spheres over a chequered floor, with shadows and
 * mirrors; each PE looks from another place. */
#include "bench.h"

enum { spheres = 6, width = 20, height = 16, deepest = 4 };

struct vector { float x, y, z; };
struct sphere { struct vector centre; float radius, shade, mirror; };

FUNCTION struct vector vector(float x, float y, float z)
{
    struct vector v;
    v.x = x, v.y = y, v.z = z;
    return v;
}
FUNCTION struct vector along(struct vector from, struct vector to, float t)
{
    return vector(from.x + to.x * t, from.y + to.y * t, from.z + to.z * t);
}
FUNCTION float dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FUNCTION struct vector unit(struct vector v)
{
    const float scale = 1.0f / sqrtf(dot(v, v));
    return vector(v.x * scale, v.y * scale, v.z * scale);
}

/* The first sphere that a ray hits, and how far off; -1 if none. */
FUNCTION int first_hit(const struct sphere *scene, struct vector from, struct vector to, float *distance)
{
    int hit = -1;
    *distance = 1e9f;
    for (int i = 0; i < spheres; i++) {
        const struct vector off = along(from, scene[i].centre, -1.0f);
        const float b = dot(off, to), c = dot(off, off) - scene[i].radius * scene[i].radius, d = b * b - c;
        if (d <= 0) continue;
        const float t = -b - sqrtf(d);
        if (t > 0.001f && t < *distance) *distance = t, hit = i;
    }
    return hit;
}

FUNCTION float trace(const struct sphere *scene, struct vector from, struct vector to, int depth)
{
    const struct vector light = unit(vector(0.5f, 0.8f, -0.4f));
    float distance, ignored, shade, mirror;
    struct vector place, normal;
    const int hit = first_hit(scene, from, to, &distance);
    if (hit >= 0) {
        place = along(from, to, distance);
        normal = unit(along(place, scene[hit].centre, -1.0f));
        shade = scene[hit].shade, mirror = scene[hit].mirror;
    } else if (to.y < -0.01f) {
        place = along(from, to, -from.y / to.y);
        normal = vector(0, 1, 0);
        shade = ((int)floorf(place.x) ^ (int)floorf(place.z)) & 1 ? 0.9f : 0.3f, mirror = 0.2f;
    } else {
        return 0.4f + 0.5f * to.y;
    }
    float bright = dot(normal, light);
    if (bright < 0.1f || first_hit(scene, place, light, &ignored) >= 0) bright = 0.1f;
    bright *= shade;
    if (mirror > 0 && depth < deepest)
        bright += mirror * trace(scene, place, along(to, normal, -2.0f * dot(to, normal)), depth + 1);
    return bright;
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE struct sphere scene[spheres];
    const struct vector eye = vector((float)(rank % 37) * 0.1f - 1.8f, 1.0f + (float)(rank % 11) * 0.2f, -6.0f);
    unsigned sum = 0;
    for (int i = 0; i < spheres; i++) {
        scene[i].centre = vector((float)(i % 3) * 2.0f - 2.0f, 0.8f + 0.3f * (float)(i % 2), (float)(i / 3) * 2.5f);
        scene[i].radius = 0.8f + 0.05f * (float)i;
        scene[i].shade = 0.3f + 0.1f * (float)i;
        scene[i].mirror = i % 3 == 1 ? 0.0f : 0.5f;
    }
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            const struct vector to = unit(vector((float)column * 0.08f - 0.76f, 0.5f - (float)row * 0.07f, 1.0f));
            sum = sum * 31 + (unsigned)(int)(trace(scene, eye, to, 0) * 255.0f);
        }
    return sum;
}
