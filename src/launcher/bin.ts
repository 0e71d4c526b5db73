#!/usr/bin/env node
/**
 * The command of the package. Any version of Node can parse it, so that one that is too old gets a
 * clear message and no syntax error.
 */
const oldest = 20

if (Number(process.versions.node.split('.')[0]) < oldest) {
  const { node } = process.versions
  console.error(`tapewright: Node ${node} is too old, ${oldest} or later is needed`)
  process.exit(1)
}
import('./launch.ts').then(({ launch }) => launch())
