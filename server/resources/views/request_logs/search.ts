import { createdSeconds, isId } from '../../../base/id.ts';
import type { Searchable } from '../../../operations/extension_points/search.ts';
import { findRequest } from './store.ts';

export const searchRequests: Searchable = {
  scope: 'request_logs:read',
  async find({ reads, tenant }, { text }) {
    const row = isId('req', text) ? await findRequest(reads, tenant, text) : undefined;
    if (row === undefined) return [];
    const { id, method, path, status } = row;
    return [
      { id, object: 'request_log', title: `${method} ${path}`, subtitle: String(status), created: createdSeconds(id) },
    ];
  },
};
