/** Calls a task once, after whatever is waiting now; the result cancels it. */
export function inNextTurn(task: () => void): () => void {
  const handle = setImmediate(task)
  return () => clearImmediate(handle)
}
