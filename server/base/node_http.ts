/** `node:http`. An `import` of it reads all of its members, one of which loads the WebSocket client: 50 ms of every start. */
export const http = process.getBuiltinModule('node:http');
