#!/usr/bin/env node
/**
 * The command of the package. It is read by any Node, so that one that is too old is told so, and
 * not what it does not understand.
 */
const oldest = 20

if (Number(process.versions.node.split('.')[0]) < oldest) {
  const { node } = process.versions
  console.error(`tapewright: Node ${node} is too old, ${oldest} or later is needed`)
  process.exit(1)
}
import('./launch.ts').then(({ launch }) => launch())
