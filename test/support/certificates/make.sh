#!/bin/sh
# Writes the certificates of this folder: self-signed, for loopback servers of tests only. The key protects nothing.
set -e
cd "$(dirname "$0")"
openssl ecparam -name prime256v1 -genkey -noout -out key.pem
make() { # name, subjectAltName, notBefore, notAfter
  folder=$(mktemp -d)
  : > "$folder/index"
  echo 01 > "$folder/serial"
  printf '[ca]\ndefault_ca=a\n[a]\ndatabase=%s/index\nserial=%s/serial\nnew_certs_dir=%s\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n' \
    "$folder" "$folder" "$folder" > "$folder/ca.cnf"
  printf 'subjectAltName=%s\n' "$2" > "$folder/extensions"
  openssl req -new -key key.pem -subj "/CN=$1" -out "$folder/request"
  openssl ca -batch -notext -config "$folder/ca.cnf" -selfsign -keyfile key.pem -in "$folder/request" \
    -extfile "$folder/extensions" -startdate "$3" -enddate "$4" -out "$1.pem"
  rm -r "$folder"
}
make localhost 'DNS:localhost,IP:127.0.0.1' 20250101000000Z 21250101000000Z
make expired 'DNS:localhost,IP:127.0.0.1' 20200101000000Z 20200201000000Z
make other-host 'DNS:other-host.invalid' 20250101000000Z 21250101000000Z
