// Chunks with a name and a length; the length of one kind is not compared with its room.
//@ text: RIFFdata\x02\0ab

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char magic[4], name[4], text[8];
    unsigned char size[2];
    if (fread(magic, 1, 4, stdin) != 4 || memcmp(magic, "RIFF", 4) != 0)
        return 1;
    while (fread(name, 1, 4, stdin) == 4 && fread(size, 1, 2, stdin) == 2) {
        unsigned length = size[0] | size[1] << 8;
        if (memcmp(name, "text", 4) == 0) {
            if (length > 300 && length % 7 == 0)
                abort();
            if (length > sizeof text)
                return 1;
            if (fread(text, 1, length, stdin) != length)
                return 1;
        } else {
            while (length-- > 0)
                if (getchar() == EOF)
                    return 1;
        }
    }
    puts("read");
}
