// Cairo, on which librsvg draws; only its include path is needed here.
#include <cairo.h>
