// Nothing: the common headers are parsed with it (headers.cmake).
