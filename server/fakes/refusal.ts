/** Thrown for an answer that is not a success. */
export class FakeRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object, message: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}
