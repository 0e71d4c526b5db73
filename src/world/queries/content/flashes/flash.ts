/** Columns of industry flashes. */
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { World } from '../../../world.ts'
import { type Column, regularly } from '../column.ts'
import type { Words } from '../phrase.ts'
import { MINUTE_MS, View } from '../view.ts'

/** A flash in both languages. */
export interface Flash {
  /** `flashType`. */
  type: number
  title: Words
  content: Words
}

export type Written = Omit<Flash, 'type'>

/** A column of one type, due once in so many minutes when there is something to tell. */
export function flashColumn(
  number: number,
  type: number,
  everyMinutes: number,
  write: (view: View) => Written | null,
): Column<Flash> {
  const due = regularly(number, everyMinutes * MINUTE_MS)
  return {
    number,
    due,
    write: (world, atMs) => {
      const beforeMs = due(world, atMs) ?? later(atMs, -everyMinutes * MINUTE_MS)
      return typed(type, write(new View(world, atMs, beforeMs)))
    },
  }
}

/** A column that is due when something has happened. */
export function eventColumn(
  number: number,
  type: number,
  due: (world: World, beforeMs: number) => TapeMs | null,
  write: (view: View) => Written | null,
): Column<Flash> {
  return { number, due, write: (world, atMs) => typed(type, write(new View(world, atMs))) }
}

const typed = (type: number, written: Written | null): Flash | null =>
  written && { type, ...written }
