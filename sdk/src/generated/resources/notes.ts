// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { DeletedNote, Note, NotesCreateParameters, NotesListParameters } from '../types/notes.ts';

/** What your people write down about customers, payments, disputes and subscriptions, for each other. */
export class NotesResource extends Resource {
  /**
   * Write a note.
   *
   * Keeps a text on an object, for those who work in the account. Customers never see it, it makes no event, and
   * it cannot be changed: delete it, and write another. It is deleted with the customer whom the object is about.
   *
   * `POST /v1/notes` · scope `notes:write`
   */
  create(params: NotesCreateParameters, options?: RequestOptions): Promise<Note> {
    return this.transport.send('POST', '/v1/notes', params, options);
  }

  /**
   * List notes.
   *
   * Returns notes in pages, newest first.
   *
   * `GET /v1/notes` · scope `notes:read`
   */
  list(params?: NotesListParameters, options?: RequestOptions): Listing<Note> {
    return this.transport.list('/v1/notes', params, options);
  }

  /**
   * Retrieve a note.
   *
   * Returns the note as it is now.
   *
   * `GET /v1/notes/{id}` · scope `notes:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Note> {
    return this.transport.send('GET', path`/v1/notes/${id}`, undefined, options);
  }

  /**
   * Delete a note.
   *
   * The author can delete it, and so can an owner of the account.
   *
   * `DELETE /v1/notes/{id}` · scope `notes:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedNote> {
    return this.transport.send('DELETE', path`/v1/notes/${id}`, undefined, options);
  }
}
