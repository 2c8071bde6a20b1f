// Imports libqrencode, which encodes QR codes.
#ifndef VITRINE_CQRCODE_SHIM_H
#define VITRINE_CQRCODE_SHIM_H

#include <qrencode.h>

#endif
