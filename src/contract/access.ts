/**
 * The required access of an endpoint (the service's documentation, Authentication and Distributor
 * management).
 */
export type Access =
  /** No signature. */
  | { kind: 'public' }
  /** Any valid signature. */
  | { kind: 'signed' }
  /** A distributor's primary key. */
  | { kind: 'distributor' }
  /** A key whose level grants this action or named permission. */
  | { kind: 'permission'; name: string }

export const publicAccess: Access = { kind: 'public' }
export const signedAccess: Access = { kind: 'signed' }
export const distributorAccess: Access = { kind: 'distributor' }
export const permission = (name: string): Access => ({ kind: 'permission', name })
