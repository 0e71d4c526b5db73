/** The examples of the control plane as requests. They are of the default sandbox. */
import type { ControlExample, ControlOperation } from './control-operation.ts'

/** What stands in a path where an example says nothing. */
const USUAL_PATH: Readonly<Record<string, string>> = {
  id: 'default',
  key: 'demo-sub',
  bookmark: 'start',
}

/** An example with the parameters of its path, and the address that they make. */
export interface ControlExampleRequest extends ControlExample {
  path: Readonly<Record<string, string>>
  /** From the root on, with its query. */
  url: string
}

/** The requests that the documents show; one without anything where none is declared. */
export function exampleRequests(operation: ControlOperation): ControlExampleRequest[] {
  const { examples = [{ name: 'plain' }] } = operation
  return examples.map((example) => {
    const path = pathOf(operation, example)
    const query = new URLSearchParams(
      Object.entries(example.query ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    )
    const filled = operation.path.replace(/:(\w+)/g, (_, name) =>
      encodeURIComponent(path[name] ?? ''),
    )
    return { ...example, path, url: `/_control${filled}${query.size > 0 ? `?${query}` : ''}` }
  })
}

function pathOf({ path }: ControlOperation, example: ControlExample) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => [name, example.path?.[name] ?? USUAL_PATH[name] ?? '']),
  )
}
