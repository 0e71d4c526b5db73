/**
 * The three wrappings of an answer (the service's documentation, Conventions), with their local
 * oddities as data.
 */

/** How an operation's data is wrapped. */
export type Envelope =
  /** `{success, errorCode, error, data}` */
  | { kind: 'A' }
  /** `{code, msg, data}`; two operations differ in the code or in the name of the text field. */
  | { kind: 'B'; code: string | number; text: 'msg' | 'message' }
  /** `{success, data, message}`; two operations leave out `data` or `message`. */
  | { kind: 'C'; message: string | null; data: boolean }
  /** No wrapping; the control plane and raw answers. */
  | { kind: 'bare' }

export const A: Envelope = { kind: 'A' }
export const bare: Envelope = { kind: 'bare' }

/** Envelope B; `code` is `"0"` and the text field `msg` unless the operation says otherwise. */
export const B = (
  variant: { code?: string | number; text?: 'msg' | 'message' } = {},
): Envelope => ({
  kind: 'B',
  code: variant.code ?? '0',
  text: variant.text ?? 'msg',
})

/** Envelope C with the word of success, which null leaves out, as `data: false` does the data. */
export const C = (
  message: string | null = 'success',
  variant: { data?: boolean } = {},
): Envelope => ({
  kind: 'C',
  message,
  data: variant.data ?? true,
})

/** The body of a successful answer, as text. `data` is already JSON. */
export function wrap(envelope: Envelope, data: string): string {
  switch (envelope.kind) {
    case 'A':
      return `{"success":true,"errorCode":200,"error":"","data":${data}}`
    case 'B':
      return `{"code":${JSON.stringify(envelope.code)},"${envelope.text}":"success","data":${data}}`
    case 'C':
      return wrapC(envelope, data)
    case 'bare':
      return data
  }
}

function wrapC({ message, data: shown }: Extract<Envelope, { kind: 'C' }>, data: string): string {
  const fields = ['"success":true']
  if (shown) fields.push(`"data":${data}`)
  if (message !== null) fields.push(`"message":${JSON.stringify(message)}`)
  return `{${fields.join(',')}}`
}
