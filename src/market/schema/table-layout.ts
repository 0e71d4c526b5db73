/**
 * The tables of a world as plain data, for the thread that writes them: it loads no package, and so
 * it can start when packages are only just installed.
 */
export interface TableLayout {
  name: string
  /** `create table` of it. */
  create: string
  columns: { name: string; holds: 'number' | 'text' | 'bytes' }[]
  /** `create index` of each index. */
  indexes: string[]
}

/** In the order of creation. */
export type TableLayouts = readonly TableLayout[]
