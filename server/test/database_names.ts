export const templateDatabase = 'tollgate_template';
