/** Who may call (spec, Authentication and Distributor management). */
export type Access =
  /** No signature at all. */
  | { kind: 'public' }
  /** Any valid signature. */
  | { kind: 'signed' }
  /** A distributor's primary key. */
  | { kind: 'distributor' }
  /** A key whose level grants this action or named permission. */
  | { kind: 'permission'; name: string }

export const open: Access = { kind: 'public' }
export const signed: Access = { kind: 'signed' }
export const distributor: Access = { kind: 'distributor' }
export const permission = (name: string): Access => ({ kind: 'permission', name })
