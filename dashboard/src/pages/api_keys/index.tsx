export { ApiKeyPage as Detail } from './detail.tsx';
export { ApiKeysPage as Page } from './list.tsx';
