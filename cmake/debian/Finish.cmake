# Run by CPack on the installed files, before they are packed: what Debian's policy asks for.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(doc ${share}/doc/${CPACK_PACKAGE_NAME})
file(GLOB pages ${share}/man/*/*.[1-9])
file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})
file(REMOVE ${doc}/LICENSE) # copyright says where it is
if(DEFINED ENV{SOURCE_DATE_EPOCH})
	set(date @$ENV{SOURCE_DATE_EPOCH})
else()
	set(date now)
endif()
execute_process(COMMAND date -u -R -d ${date} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
	COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${doc}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n
  * Built from upstream's sources; their history says what changed.\n
 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9nf ${pages} ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
