# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

version = "0.1.0"
