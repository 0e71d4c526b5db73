import { Database } from 'bun:sqlite'

/** An empty database in memory. */
export const memoryDatabase = (): Database => new Database(':memory:', { strict: true })
