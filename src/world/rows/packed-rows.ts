/** What is packed by column in a world (src/world/schema/packed-columns.ts). */
import { perWorld } from '../per-world.ts'
import { type PackedName, type UnpackedSection, unpackSections } from '../schema/packed-columns.ts'
import { packed } from '../schema.ts'
import { columns } from './columns.ts'

export const packedRows = perWorld(({ db }) => {
  const one = columns({ blob: packed.columns }).prepare<[name: PackedName, key: number]>(
    db,
    'from packed where name = ? and key = ?',
  )
  return {
    /** None for who has done nothing. */
    sections(name: PackedName, key: number): UnpackedSection[] {
      const row = one.get(name, key)
      return row ? unpackSections(row.blob) : []
    },
  }
})
