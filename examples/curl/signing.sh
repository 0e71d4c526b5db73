# The four query parameters that every request carries; for sh, dash and bash.
base_url=${1:-http://127.0.0.1:4010}
key=${2:-demo}
secret=${3:-demo-secret}

# A query string that is good for 30 s and for one use: sign anew for each request.
signed() {
  text="AccessKeyId=$key&SignatureNonce=$(openssl rand -hex 8)&Timestamp=$(date +%s)"
  hex=$(printf %s "$text" | openssl dgst -sha1 -hmac "$secret" | sed 's/^.* //')
  # What is encoded is the hexadecimal text, not the digest's bytes; of Base64's letters three
  # mean something else in an address.
  signature=$(printf %s "$hex" | openssl base64 -A | sed 's/+/%2B/g; s/\//%2F/g; s/=/%3D/g')
  printf %s "$text&Signature=$signature"
}

price_in() {
  sed -n 's/.*"price":"\([^"]*\)".*/\1/p'
}
