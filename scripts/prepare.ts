/**
 * `postprepare`, run by Bun after an install in a checkout: prepares the first start. npm warns of
 * a package that has a `prepare`.
 * `TAPEWRIGHT_PREPARE=no` disables it, and it never fails an install.
 *
 * Imports are lazy: while an image installs, the sources are missing.
 */
async function prepare(): Promise<void> {
  if (process.env.TAPEWRIGHT_PREPARE === 'no') return
  const { prepareFirstStart } = await import('./first-start.ts')
  await prepareFirstStart()
}

prepare()
  .catch((error) => console.error(`tapewright: left for the first start: ${error}`))
  .finally(() => process.exit(0))
