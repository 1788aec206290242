# SPDX-License-Identifier: MIT
# Installs a bill of materials (SPDX 2.3, https://spdx.github.io/spdx-spec/v2.3/): this project and
# the libraries that its own libraries and its program link. Their versions are those of the machine
# that runs them, so it has none.
set(packages "")
set(relationships "")

# spdx_package(NAME MORE LICENSE OWNER RELATIONSHIP): MORE are other members of the package, in JSON.
macro(spdx_package name more license owner relationship)
  string(APPEND packages "${comma}
    {\"SPDXID\": \"SPDXRef-${name}\", \"name\": \"${name}\", ${more}\"licenseDeclared\": \"${license}\",
     \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false}")
  string(APPEND relationships "${comma}
    {\"spdxElementId\": \"SPDXRef-${owner}\", \"relationshipType\": \"${relationship}\",
     \"relatedSpdxElement\": \"SPDXRef-${name}\"}")
  set(comma ",")
endmacro()
set(comma "")
spdx_package(cumsum "\"versionInfo\": \"${PROJECT_VERSION}\", " MIT DOCUMENT DESCRIBES)
if(CUMSUM_WITH_PTHREADPOOL)
  spdx_package(pthreadpool "" BSD-2-Clause cumsum DEPENDS_ON)
endif()
if(CUMSUM_BUILD_TOOL)
  if(CUMSUM_DRAWS_FOUND)
    spdx_package(Random123 "" BSD-3-Clause cumsum DEPENDS_ON)
    spdx_package(SLEEF "" BSL-1.0 cumsum DEPENDS_ON)
  endif()
endif()

string(TIMESTAMP created UTC) # SOURCE_DATE_EPOCH, if it is set
string(UUID uuid NAMESPACE 6ba7b811-9dad-11d1-80b4-00c04fd430c8 # of URLs, RFC 4122
       NAME "cumsum ${created} ${packages}" TYPE SHA1)
file(WRITE ${PROJECT_BINARY_DIR}/cumsum.spdx.json "{
  \"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"cumsum-${PROJECT_VERSION}\",
  \"documentNamespace\": \"https://spdx.org/spdxdocs/cumsum-${PROJECT_VERSION}-${uuid}\",
  \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Organization: The cumsum authors\"]},
  \"packages\": [${packages}
  ],
  \"relationships\": [${relationships}
  ]
}
")
install(
  FILES ${PROJECT_BINARY_DIR}/cumsum.spdx.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cumsum
  COMPONENT development)
