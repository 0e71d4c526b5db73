/** The program with heap reports to its parent. */
import { heapStats } from 'bun:jsc'
import { launch } from '../../src/main.ts'
import type { HeapReport, InstanceReport } from './server-process.ts'

process.on('message', (message) => {
  if (message === 'heap') sendReport(heapReport())
  if (message === 'instances') sendReport(instanceReport())
})

const sendReport = (report: HeapReport | InstanceReport) => process.send?.(report)

function heapReport(): HeapReport {
  Bun.gc(true)
  const { heapSize, objectCount } = heapStats()
  return { heapBytes: heapSize, objects: objectCount }
}

/** Fields of a node in a heap snapshot; the third is the index of its class name. */
const [NODE_FIELDS, CLASS_NAME] = [4, 2]

function instanceReport(): InstanceReport {
  Bun.gc(true)
  const { nodes, nodeClassNames } = Bun.generateHeapSnapshot()
  const instances: Record<string, number> = {}
  for (let at = CLASS_NAME; at < nodes.length; at += NODE_FIELDS) {
    const name = nodeClassNames[nodes[at] as number] as string
    instances[name] = (instances[name] ?? 0) + 1
  }
  return { instances }
}

// A killed parent can no longer end it.
process.on('disconnect', () => process.exit(1))

await launch(process.argv.slice(2))
