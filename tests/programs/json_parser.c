/* A JSON parser and printer: recursion, strings with escapes, numbers, errors with their place. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Json {
    enum { NIL, BOOL, NUMBER, STRING, ARRAY, OBJECT } kind;
    double number;
    char *text; /* a string's, or the key's if it is a member */
    char *key;
    struct Json *first, *next;
} Json;

static const char *start, *at, *error;

static void skip(void) { while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r') at++; }
static Json *fail(const char *why) { if (!error) error = why; return NULL; }

static char *parse_text(void) {
    size_t n = 0;
    char *out = malloc(strlen(at) + 1);
    for (at++; *at != '"'; at++) {
        if (!*at || (unsigned char)*at < ' ') { free(out); fail("string without end"); return NULL; }
        if (*at != '\\') { out[n++] = *at; continue; }
        switch (*++at) {
        case 'n': out[n++] = '\n'; break;
        case 't': out[n++] = '\t'; break;
        case '"': case '\\': case '/': out[n++] = *at; break;
        case 'u': {
            char hex[5] = {at[1], at[2], at[3], at[4], 0};
            unsigned code = (unsigned)strtoul(hex, NULL, 16);
            if (code < 0x80) out[n++] = (char)code;
            else if (code < 0x800) { out[n++] = (char)(0xc0 | code >> 6); out[n++] = (char)(0x80 | (code & 63)); }
            else { out[n++] = (char)(0xe0 | code >> 12); out[n++] = (char)(0x80 | (code >> 6 & 63)); out[n++] = (char)(0x80 | (code & 63)); }
            at += 4;
            break;
        }
        default: free(out); fail("bad escape"); return NULL;
        }
    }
    at++;
    out[n] = 0;
    return out;
}

static void release(Json *j) {
    if (!j) return;
    release(j->first);
    release(j->next);
    free(j->text);
    free(j->key);
    free(j);
}

static Json *parse(void) {
    skip();
    Json *j = calloc(1, sizeof *j);
    if (*at == '{' || *at == '[') {
        char close = *at == '{' ? '}' : ']';
        j->kind = *at++ == '{' ? OBJECT : ARRAY;
        Json **tail = &j->first;
        for (skip(); *at != close; skip()) {
            char *key = NULL;
            if (j->first && *at++ != ',') { release(j); at--; return fail("expected , or the end"); }
            skip();
            if (j->kind == OBJECT) {
                if (*at != '"' || !(key = parse_text())) { release(j); return fail("expected a key"); }
                skip();
                if (*at++ != ':') { free(key); release(j); at--; return fail("expected :"); }
            }
            Json *item = parse();
            if (!item) { free(key); release(j); return NULL; }
            item->key = key;
            *tail = item;
            tail = &item->next;
        }
        at++;
        return j;
    }
    if (*at == '"') { j->kind = STRING; if ((j->text = parse_text())) return j; release(j); return NULL; }
    if (*at == '-' || isdigit((unsigned char)*at)) { char *end; j->kind = NUMBER; j->number = strtod(at, &end); at = end; return j; }
    static const struct { const char *word; int kind; double number; } words[] = {{"null", NIL, 0}, {"true", BOOL, 1}, {"false", BOOL, 0}};
    for (int i = 0; i < 3; i++)
        if (!strncmp(at, words[i].word, strlen(words[i].word))) { at += strlen(words[i].word); j->kind = words[i].kind; j->number = words[i].number; return j; }
    free(j);
    return fail("unexpected character");
}

static void print_text(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') printf("\\%c", *s);
        else if (*s == '\n') printf("\\n");
        else if (*s == '\t') printf("\\t");
        else putchar(*s);
    }
    putchar('"');
}

static void print(const Json *j, int depth) {
    switch (j->kind) {
    case NIL: printf("null"); break;
    case BOOL: printf(j->number != 0 ? "true" : "false"); break;
    case NUMBER: printf("%.12g", j->number); break;
    case STRING: print_text(j->text); break;
    case ARRAY:
    case OBJECT:
        printf(j->kind == ARRAY ? "[" : "{");
        for (const Json *item = j->first; item; item = item->next) {
            printf("\n%*s", 2 * depth + 2, "");
            if (item->key) { print_text(item->key); printf(": "); }
            print(item, depth + 1);
            if (item->next) printf(",");
        }
        if (j->first) printf("\n%*s", 2 * depth, "");
        printf(j->kind == ARRAY ? "]" : "}");
    }
}

static double total(const Json *j) {
    double sum = j->kind == NUMBER ? j->number : 0;
    for (const Json *item = j->first; item; item = item->next) sum += total(item);
    return sum;
}

int main(void) {
    static const char *texts[] = {
        "{\"name\": \"M\\u00f6g\", \"pes\": [1, 2.5, -3e3, 1024], \"deep\": {\"a\": {\"b\": [[], {}, [[null]]]}}, \"ok\": true, \"text\": \"line\\n\\\"quoted\\\" \\u20ac\"}",
        "  [false, 0.1e-2, \"\\/\"] ", "[1, 2", "{\"a\" 1}", "[1 2]", "{\"a\": tru}", "\"abc", "[\"\\x\"]", "",
    };
    for (int i = 0; i < 9; i++) {
        start = at = texts[i];
        error = NULL;
        Json *j = parse();
        if (j) { print(j, 0); printf("\ntotal %g\n", total(j)); release(j); }
        else printf("error at %d: %s\n", (int)(at - start), error);
    }
    return 0;
}
