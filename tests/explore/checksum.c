// A packet that is believed only if its checksum is right.
//@ text: \x04abcd....

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t crc(const unsigned char *bytes, int length) {
    uint32_t sum = 0xffffffff;
    for (int i = 0; i < length; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (0xedb88320 & -(sum & 1));
    }
    return ~sum;
}

int main(void) {
    unsigned char packet[64];
    int length = fread(packet, 1, sizeof packet, stdin);
    if (length < 5 || packet[0] + 5 != length)
        return 1;
    const unsigned char *end = packet + length - 4;
    uint32_t said = end[0] | end[1] << 8 | end[2] << 16 | (uint32_t)end[3] << 24;
    if (crc(packet + 1, packet[0]) != said) {
        puts("damaged");
        return 0;
    }
    if (packet[1] == 'Q')
        abort();
    puts("received");
}
