#include <stdio.h>
int __attribute__((noinline)) f(double x){return (int)x;}
int __attribute__((noinline)) g(float x,int b){ if (b) return (int)x; return (int)(x*2);}
unsigned __attribute__((noinline)) h(double x){return (unsigned)x;}
int main(int c,char**v){printf("%d %d %d %u\n",f(c*-1.7),g(c*2.9f,1),g(c*1.6f,0),h(3e9*c));return 0;}
