/**
 * `prepare`, which package managers run after an install in a checkout: makes what the first start
 * needs. `TAPEWRIGHT_PREPARE=no` leaves it out, and it never fails an install.
 *
 * Imports nothing else until it is to prepare: an image has no sources yet when it installs.
 */
async function prepare(): Promise<void> {
  if (process.env.TAPEWRIGHT_PREPARE === 'no') return
  const { prepareFirstStart } = await import('./first-start.ts')
  await prepareFirstStart()
}

prepare()
  .catch((error) => console.error(`tapewright: left for the first start: ${error}`))
  .finally(() => process.exit(0))
