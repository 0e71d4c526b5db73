/** A sandbox cannot be made here; the message says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}
