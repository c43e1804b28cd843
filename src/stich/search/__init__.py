"""Search: game trees and what is computed on them."""
