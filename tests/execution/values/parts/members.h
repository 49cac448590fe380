class opaque;
opaque *make_opaque(int inside);
void drop_opaque(opaque *);
