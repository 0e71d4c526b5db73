/**
 * Says in the console when another tab of the page has a sandbox too; the result ends that this one
 * counts as such.
 */
export function tellOfOthers(): () => void {
  let leave = () => {}
  const held = new Promise<void>((resolve) => {
    leave = resolve
  })
  const { locks } = navigator as { locks?: Locks }
  void locks?.request('tapewright', { ifAvailable: true }, (lock) => {
    if (lock !== null) return held
    console.info(
      'tapewright: another tab has a sandbox of its own. What is set in one is not seen in the ' +
        'other: close that tab, or have both ask one server, as "npx tapewright serve" is one',
    )
    return undefined
  })
  return leave
}

/** Of browsers; the types of other runtimes do not know them. */
interface Locks {
  request(
    name: string,
    options: { ifAvailable: boolean },
    task: (lock: object | null) => Promise<void> | undefined,
  ): Promise<void>
}
