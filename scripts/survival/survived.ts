/** A sentence of the guidance of a scenario, and what the client makes of it. */
export interface Survived {
  says: string
  made: string
}
