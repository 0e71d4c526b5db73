import type { World } from './world.ts'

/** Something that is made once for each world, on first use, and forgotten with it. */
export function perWorld<T>(make: (world: World) => T): (world: World) => T {
  const made = new WeakMap<World, T>()
  return (world) => {
    const known = made.get(world)
    if (known !== undefined) return known
    const value = make(world)
    made.set(world, value)
    return value
  }
}
