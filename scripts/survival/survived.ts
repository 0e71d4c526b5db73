/** A sentence of a scenario's guidance, and the client's behaviour. */
export interface Survived {
  says: string
  made: string
}
