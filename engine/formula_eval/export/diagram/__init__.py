"""A document to a picture of the model as a graph of operators."""
