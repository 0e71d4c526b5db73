/** Part of a world's name: raised whenever the same tape and seed would give other rows. */
export const CASTING_VERSION = 60
