/** Calls a task once, after all waiting tasks; the result cancels it. */
export function inNextTurn(task: () => void): () => void {
  const handle = setImmediate(task)
  return () => clearImmediate(handle)
}
