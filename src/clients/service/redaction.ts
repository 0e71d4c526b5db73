/** Texts without what would let somebody else sign: for all that is told. */

/** A signature is Base64 of 40 hexadecimal digits: 54 letters and two signs that end it. */
const SIGNATURE_VALUE = /[A-Za-z0-9+/]{54}(==|%3D%3D)/gi
const SIGNATURE_FIELD = /(Signature)(=|%3D|"\s*:\s*"|&quot;:&quot;)[^&\s"'<>\\]+/g

/** What a registration answers, once. */
const SECRET_FIELD = /(secret_?key"\s*:\s*")[^"]*/gi

/** A text without signatures, and without a secret. */
export function redacted(text: string, secret: string): string {
  const unsigned = text
    .replaceAll(SIGNATURE_FIELD, '$1$2***')
    .replaceAll(SIGNATURE_VALUE, '***')
    .replaceAll(SECRET_FIELD, '$1***')
  return secret === '' ? unsigned : unsigned.replaceAll(secret, '***')
}

/** The cause of a failure as an error of our own: a runtime's carries the whole address. */
export function redactedCause(cause: unknown, secret: string): Error {
  const { name, message, code } = Object(cause) as { [N in CauseField]?: unknown }
  const text = redacted(String(message ?? cause), secret)
  return new Error(code === undefined ? `${String(name ?? 'Error')}: ${text}` : `${code}: ${text}`)
}

type CauseField = 'name' | 'message' | 'code'
