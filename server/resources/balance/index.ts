import { resource } from '../resource.ts';
import { balanceOperations } from './operations.ts';

export const balance = resource({ name: 'balance', scopes: ['balance'], operations: balanceOperations });
