#include <stdio.h>

static char table[4][8] = {"zero", "one"};

int main(void) {
    const char *literal = "say \"hi\"";
    char buffer[8] = "abc";
    char full[3] = {'x', 'y', 'z'};
    char *nothing = NULL;
    buffer[1] = '\t'; //~ values buffer: "abc" //~ values after buffer: "a\tc"
    const char *inside = literal + 4; //~ values literal: "say \"hi\""
    printf("%s\n", inside); //~ values inside: "\"hi\"" //~ values full: "xyz" //~ values nothing: NULL
    printf("%s %s\n", table[1], buffer); //~ values table: {"zero", "one", "", ""} //~ values table[1][0]: 'o'
    return nothing != NULL || full[0] != 'x';
}
