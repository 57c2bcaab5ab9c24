# cmake -DFROM=file -DTO=file.inc -DNAME=name -P Embed.cmake: the file as an array of char, for #include.
file(READ ${FROM} octets HEX)
string(REGEX REPLACE "(..)" "0x\\1," octets "${octets}")
file(WRITE ${TO} "static const char ${NAME}[] = {\n${octets}\n};\n")
