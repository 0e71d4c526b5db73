import type { Source } from './source-file.ts'

/**
 * Import cycles between files: each is a set of files that all reach one another, so that none can
 * be moved or tested alone. Files of one module may import one another's types.
 */
export function cycleFindings(sources: Source[]): string[] {
  return new Walk(sources).cycles.map(
    (files) =>
      `${files.sort().join(', ')} import one another: move what they share to one of them, ` +
      'or take the narrow interface that is needed',
  )
}

/** Imports that count: types of the own module do not. */
function boundTo({ path, imports, typeImports }: Source): string[] {
  const module = moduleOf(path)
  return imports.filter(
    (name) => name === path || moduleOf(name) !== module || !typeImports.includes(name),
  )
}

/** `src/market`, or the folder elsewhere. */
const moduleOf = (path: string) => path.split('/').slice(0, 2).join('/')

/** Tarjan's strongly connected components. */
class Walk {
  readonly cycles: string[][] = []
  private readonly imports: Map<string, string[]>
  private readonly order = new Map<string, number>()
  private readonly open: string[] = []

  constructor(sources: Source[]) {
    this.imports = new Map(sources.map((source) => [source.path, boundTo(source)]))
    for (const path of this.imports.keys()) if (!this.order.has(path)) this.visit(path)
  }

  private visit(path: string): number {
    let lowest = this.order.size
    this.order.set(path, lowest)
    this.open.push(path)
    for (const next of this.imports.get(path) ?? []) {
      if (!this.imports.has(next)) continue
      if (!this.order.has(next)) lowest = Math.min(lowest, this.visit(next))
      else if (this.open.includes(next)) lowest = Math.min(lowest, this.order.get(next) as number)
    }
    if (lowest === this.order.get(path)) this.close(path)
    return lowest
  }

  private close(path: string): void {
    const files = this.open.splice(this.open.indexOf(path))
    if (files.length > 1 || this.imports.get(path)?.includes(path)) this.cycles.push(files)
  }
}
