/** Replaces the suite in a page, where it is a package of its own. */
export const startSuite = () => null
