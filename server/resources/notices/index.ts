import { resource } from '../resource.ts';
import { noticeOperations } from './operations.ts';

export const notices = resource({ name: 'notices', operations: noticeOperations });
