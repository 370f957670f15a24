/* Other spellings: digraphs, iso646 names, line continuation inside tokens. */
%:include <iso646.h>
#include <stdio.h>

int main(void) <%
    int a<:3:> = <%1, 2, 3%>;
    int x = a<:1:> bitand 3, y = not x or a[2] not_eq 3;
    x xor_eq 5;
    pri\
ntf("%d %d %d\n", x, y, compl x);
    return 0;
%>
