/** trader.id of the crowd: everybody whom nobody looks up. It has no rows of its own. */
export const CROWD = 0
