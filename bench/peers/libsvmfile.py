# From a LIBSVM file to a saved model, as one writes it with scikit-learn: bench/questions/libsvmfile.ts runs it.
# Usage: libsvmfile.py DATA EPOCHS MODEL; prints the number of rows.

import sys

import joblib
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron

data, epochs, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
X, y = load_svmlight_file(data)
joblib.dump(Perceptron(max_iter=epochs, tol=None, shuffle=False).fit(X, y), path)
print(X.shape[0])
